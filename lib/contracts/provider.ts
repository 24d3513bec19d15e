import type { ModelEvent, ModelRequest, SseEvent } from './model';

export type ProviderId = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';

/** How a provider wants the schemas of tools; neutral: as every provider takes them best. */
export type SchemaDialect = 'neutral' | 'anthropic' | 'openai-strict' | 'gemini' | 'deepseek';

/** An HTTP request as plain data; `body` is JSON text. */
export interface ProviderRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Where and as whom a model is asked. The key lives in memory only and is never in an event, a store or a log. */
export interface Connection {
  readonly provider: ProviderId;
  /** Base address without a trailing slash, e.g. `https://api.anthropic.com` or `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

/** One wire dialect: both directions, pure. One file each in `lib/providers`. */
export interface Provider {
  readonly id: ProviderId;
  readonly label: string;
  readonly defaultBaseUrl: string;
  /** The dialect of the server at this address; the tools of a request are given to `encode` in it. */
  schemaDialect(baseUrl: string): SchemaDialect;
  encode(connection: Connection, request: ModelRequest): ProviderRequest;
  /** A fresh decoder for one response. `registered`: names of the tools sent, needed to keep apart glued names. */
  createDecoder(registered: ReadonlySet<string>): ProviderDecoder;
  /** The sentence inside a provider's error body, or undefined when it has none. */
  errorMessage(body: string): string | undefined;
}

export interface ProviderDecoder {
  push(event: SseEvent): readonly ModelEvent[];
  /** The stream ended. Cleanly (default): closes what is open. Broken: an open call stays without its `call-end`. */
  end(closedCleanly?: boolean): readonly ModelEvent[];
  /** The wire said that nothing more follows. */
  readonly finished: boolean;
}

/** The part of `fetch` a model client needs; the practice endpoint is one, so nothing downstream can tell. */
export type ModelFetch = (
  url: string,
  init: { readonly method: 'POST'; readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly signal: AbortSignal },
) => Promise<Response>;
