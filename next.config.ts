import type { NextConfig } from 'next';
import { fixedHeaders, workerPolicy } from './security-headers';

const asList = (headers: Readonly<Record<string, string>>) => Object.entries(headers).map(([key, value]) => ({ key, value }));

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  turbopack: {
    root: import.meta.dirname,
    // just-bash asks Node for gzip.
    resolveAlias: { 'node:zlib': './shims/zlib.ts' },
  },
  headers: async () => [
    { source: '/:path*', headers: asList(fixedHeaders) },
    { source: '/_next/static/:path*', headers: [{ key: 'content-security-policy', value: workerPolicy() }] },
  ],
};

export default config;
