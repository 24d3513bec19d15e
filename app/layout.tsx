import type { Metadata, Viewport } from 'next';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import '@fontsource-variable/jetbrains-mono/index.css';
import './globals.css';

export const metadata: Metadata = {
  title: 'Gatehouse',
  description: 'A browser IDE whose coding agent works through one governed slot.',
};

export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' };

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  // A page made at build time has no nonces, and without them no script runs; the static build has hashes instead.
  if (process.env.GATEHOUSE_STATIC === undefined) await connection();
  return (
    <html lang="en" suppressHydrationWarning>
      <body>{children}</body>
    </html>
  );
}
