import { type NextRequest, NextResponse } from 'next/server';
import { pagePolicy } from './security-headers';

/** Gives every page its own nonce; Next reads it from the request's policy and puts it on its scripts. */
export function proxy(request: NextRequest): NextResponse {
  const csp = pagePolicy(btoa(crypto.randomUUID()), process.env.NODE_ENV === 'development');
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', csp);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', csp);
  return response;
}

// Bundles and the workers of programs get theirs from next.config.ts.
export const config = { matcher: '/((?!_next/static/|generated/).*)' };
