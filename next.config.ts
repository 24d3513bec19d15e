import type { NextConfig } from 'next';
import { bundlePolicy, fixedHeaders, programPolicy } from './security-headers';

const asList = (headers: Readonly<Record<string, string>>) => Object.entries(headers).map(([key, value]) => ({ key, value }));

/** Set by `npm run build:static`: the pages are made at build time, in a folder of their own, perhaps under a sub-path. */
const isStatic = process.env.GATEHOUSE_STATIC !== undefined;

const config: NextConfig = {
  ...(isStatic ? { distDir: '.cache/next-static', basePath: process.env.BASE_PATH ?? '' } : {}),
  // Server routes end in `.server.ts`, so a build without a server leaves them out.
  pageExtensions: isStatic ? ['tsx', 'ts'] : ['tsx', 'ts', 'server.ts'],
  // Where the engine's worker asks for pages of the web: the route of this server; a static build has one only where its host offers the same under a path.
  env: { GATEHOUSE_FETCH_PROXY: isStatic ? (process.env.GATEHOUSE_FETCH_PROXY ?? '') : '/api/fetch' },
  reactStrictMode: true,
  poweredByHeader: false,
  // `npm run typecheck` checks types, tests included; a build for a person who only starts the page need not.
  typescript: { ignoreBuildErrors: true },
  turbopack: {
    root: import.meta.dirname,
    // just-bash asks Node for gzip.
    resolveAlias: { 'node:zlib': './shims/zlib.ts' },
  },
  headers: async () => [
    { source: '/:path*', headers: asList(fixedHeaders) },
    { source: '/_next/static/:path*', headers: asList({ 'content-security-policy': bundlePolicy() }) },
    { source: '/generated/:path*', headers: asList({ 'content-security-policy': programPolicy(false) }) },
    { source: '/generated/node.worker.js', headers: asList({ 'content-security-policy': programPolicy(true) }) },
  ],
};

export default config;
