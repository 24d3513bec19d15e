import type { Runtime } from './runtime';

/** A runtime that only a page can start; the page offers it to the engine across the bridge. */
export interface PageRuntime {
  /**
   * Starts it, or joins the start that is under way: however many ask, there is one.
   *
   * In     `by-itself`: nobody asked just now. It is then refused where the last start never came to its end.
   * Fails  CodedError `not-available`; the message says what is missing or what happened, and what to do.
   */
  start(asked: 'by-hand' | 'by-itself'): Promise<Runtime>;
}
