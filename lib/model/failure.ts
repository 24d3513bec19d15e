import type { ModelError, ModelErrorCode } from '@/lib/contracts/model';

export interface Failure {
  readonly error: ModelError;
  /** Another try may help. */
  readonly isPassing: boolean;
}

/** Who was asked, for the sentences; `apiKey` only so that it can be kept out of them. */
export interface Asked {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

const SAID_LIMIT = 300;
const kept = 'Your conversation and files are as they were.';
const cutKept = 'What has arrived is kept, and a call that was not complete does not run.';

/** The failure that an HTTP status means; `said` is the provider's own sentence. */
export function failureOfStatus(status: number, asked: Asked, said: string | undefined, retryAfterMs: number | undefined): Failure {
  const host = hostOf(asked.baseUrl);
  const model = JSON.stringify(asked.model);
  const words = quote(said, asked);
  const fail = (code: ModelErrorCode, message: string, isPassing = false): Failure => ({
    error: { code, message, status, ...(retryAfterMs !== undefined && { retryAfterMs }) },
    isPassing,
  });
  // A provider's sentence about a wrong key repeats parts of the key, so it is left out.
  if (status === 401) return fail('wrong-key', `${host} does not accept the key (401). ${kept} Check the key in the model menu, then send again.`);
  if (status === 402 || status === 403)
    return fail(
      'not-allowed',
      `${host} does not allow this request (${status}).${words} ${kept} Check that the key may use the model ${model} and that the account is in order, or choose another model.`,
    );
  if (status === 404)
    return fail(
      'not-found',
      `${host} does not know the model ${model}, or has nothing at this address (404).${words} ${kept} Check the address and the model's name in the model menu.`,
    );
  if (status === 429)
    return fail(
      'rate-limited',
      `${host} asks to slow down: too many requests or tokens (429).${words} ${kept} Wait${waitWords(retryAfterMs)}, then send again, or choose another model.`,
      true,
    );
  if (status >= 500 || status === 408)
    return fail('server-error', `${host} has a problem of its own (${status}).${words} ${kept} Wait a moment, then send again, or choose another model.`, true);
  return fail(
    'bad-request',
    `${host} did not take the request (${status}).${words} ${kept} Check the model's name and address; if the conversation has grown too long, begin a new session.`,
  );
}

/** The failures that have no status. */
export const failures = {
  unreachable: (asked: Asked): Failure =>
    failure(
      'unreachable',
      `${hostOf(asked.baseUrl)} cannot be reached. ${kept} Check the address and the network, and that the server runs and allows calls from web pages (CORS; Ollama: OLLAMA_ORIGINS, LM Studio: --cors), then send again.`,
      true,
    ),
  notEncoded: (asked: Asked, said: string): Failure =>
    failure(
      'bad-request',
      `The request to ${hostOf(asked.baseUrl)} could not be made.${quote(said, asked)} ${kept} Check the address and the model's name in the model menu.`,
    ),
  webPage: (asked: Asked): Failure =>
    failure(
      'not-a-stream',
      `${hostOf(asked.baseUrl)} answered with a web page, not with a model's stream. ${kept} Check the address in the model menu: often the ending /v1 is missing, or a login page stands in between.`,
    ),
  notAStream: (asked: Asked, said: string | undefined): Failure =>
    failure(
      'not-a-stream',
      `${hostOf(asked.baseUrl)} answered, but not with a model's stream.${quote(said, asked)} ${kept} Check the address in the model menu, and that the server can stream.`,
    ),
  cut: (asked: Asked): Failure =>
    failure('stream-cut', `The connection to ${hostOf(asked.baseUrl)} broke before the answer was complete. ${cutKept} Send a message to go on.`, true),
  stalled: (asked: Asked, stallMs: number): Failure =>
    failure(
      'stream-stalled',
      `${hostOf(asked.baseUrl)} has sent nothing for ${Math.round(stallMs / 1000)} seconds, so the wait was given up. ${cutKept} Send a message to try again, or choose another model.`,
    ),
  providerError: (asked: Asked, said: string, isPassing: boolean): Failure =>
    failure(
      'provider-error',
      `${hostOf(asked.baseUrl)} broke off the answer with an error.${quote(said, asked)} ${cutKept} Send a message to go on, or choose another model.`,
      isPassing,
    ),
  tooLarge: (asked: Asked, limitBytes: number): Failure =>
    failure(
      'provider-error',
      `${hostOf(asked.baseUrl)} sent a single event of more than ${limitBytes / (1 << 20)} MB, so the answer was given up. ${cutKept} Send a message to try again, or choose another model.`,
    ),
  aborted: (): Failure => failure('aborted', `Stopped. ${cutKept} Send a message to go on.`),
} as const;

function failure(code: ModelErrorCode, message: string, isPassing = false): Failure {
  return { error: { code, message }, isPassing };
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'The model’s server';
}

function waitWords(ms: number | undefined): string {
  return ms === undefined ? ' a moment' : ` ${Math.ceil(ms / 1000)} seconds`;
}

function quote(said: string | undefined, asked: Asked): string {
  const text = withoutKeys(said ?? '', asked.apiKey)
    .replace(/\s+/g, ' ')
    .trim();
  if (text === '') return '';
  return ` It says: “${text.length > SAID_LIMIT ? `${text.slice(0, SAID_LIMIT).replace(/[\uD800-\uDBFF]$/, '')}…` : text}”`;
}

/** Takes the key out of a text, and whatever else looks like one, also half hidden by stars. */
function withoutKeys(text: string, apiKey: string): string {
  const exact = apiKey === '' ? text : text.replaceAll(apiKey, '[key]').replaceAll(encodeURIComponent(apiKey), '[key]');
  return exact.replace(/\b(sk|gsk|pk|xai|key|AIza)[-_]?[A-Za-z0-9*_-]{12,}/g, '[key]');
}
