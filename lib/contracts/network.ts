import { CodedError } from '@/lib/shared/coded-error';

/** What is said about hosts, by a policy or for one use; entries as in `lib/net/host-entry.ts`. Deny wins. */
export interface HostEntries {
  /** Any word but these means ask. */
  readonly default?: 'allow' | 'ask' | 'deny' | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** Whom the requests of one call may go to, apart from the addresses that nobody may reach. */
export interface HostRules {
  readonly policy: HostEntries;
  /** Host entries that a person allowed or denied for the session. */
  readonly approved?: readonly string[] | undefined;
  readonly denied?: readonly string[] | undefined;
  /** What policy, mode and remembered answers say to the same call with this URL. */
  readonly decides?: ((url: string) => 'allow' | 'ask' | 'deny') | undefined;
  /** Origins that a person configured for this very use: their addresses are not judged. Exact, e.g. `http://127.0.0.1:8080`. */
  readonly exemptOrigins?: readonly string[] | undefined;
}

export interface WebRequest {
  readonly url: string;
  /** Bytes of the body that are wanted; what comes after is not read. */
  readonly maxBytes: number;
}

export interface WebResponse {
  /** Where the body came from, after redirects. */
  readonly url: string;
  readonly host: string;
  readonly status: number;
  /** As the server said, lower case; '' = it said nothing. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** There was more than `maxBytes`. */
  readonly truncated: boolean;
  readonly redirects: number;
}

/** What one request without redirects brought. opaque: there is a redirect, and where it leads cannot be seen here. */
export type HopAnswer =
  | { readonly kind: 'body'; readonly status: number; readonly contentType: string; readonly bytes: Uint8Array; readonly truncated: boolean }
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | { readonly kind: 'opaque-redirect' };

/**
 * Whoever makes one request and follows nothing. Sends no cookies, no credentials, no referrer.
 *
 * Fails  rejects with a CodedError: `not-available` when nothing answered, `permission-denied` when the address may not be reached, or the signal's reason.
 */
export interface WebHop {
  /** none: names are not resolved before the request. checked: every answer for the name is checked, and the request goes to a checked address. */
  readonly resolves: 'none' | 'checked';
  request(url: URL, maxBytes: number, signal: AbortSignal): Promise<HopAnswer>;
}

/** A failure of the way out whose words hold what a server sent, such as the address of a redirect: they are from outside, as its page is. */
export class ServersWords extends CodedError {
  constructor(
    code: string,
    message: string,
    /** The host that sent it. */
    readonly host: string,
  ) {
    super(code, message);
  }
}

/** Fetches a public page under the rules of the call, redirects included. */
export type FetchWeb = (request: WebRequest, rules: HostRules, signal: AbortSignal) => Promise<WebResponse>;
