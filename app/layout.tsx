import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import '@fontsource-variable/jetbrains-mono/index.css';
import './globals.css';

export const metadata: Metadata = {
  title: 'Gatehouse',
  description: 'A browser IDE whose coding agent works through one governed slot.',
};

export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' };

export default function RootLayout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <body>{children}</body>
    </html>
  );
}
