import { parseJson } from '@/lib/shared/read-json';

/** An event that comes by the hundred in an answer; `index` is its block's. */
export type UsualEvent =
  | { readonly kind: 'call-start'; readonly index: number; readonly wireId: string; readonly name: string }
  | { readonly kind: 'call-delta' | 'text-delta'; readonly index: number; readonly text: string }
  | { readonly kind: 'stop'; readonly index: number };

const index = '"index":(0|[1-9]\\d{0,5})';
// A string in which nothing is escaped, nor has to be.
const plain = '"([^"\\\\\\u0000-\\u001f]*)"';
const deltaForm = new RegExp(`^{"type":"content_block_delta",${index},"delta":{"type":"(text_delta","text|input_json_delta","partial_json)":`);
const stopForm = new RegExp(`^{"type":"content_block_stop",${index}}$`);
const callForm = new RegExp(`^{"type":"content_block_start",${index},"content_block":{"type":"tool_use","id":${plain},"name":${plain},"input":{}}}$`);

/**
 * Reads the usual events in the one spelling in which the API writes them.
 *
 * Out    what reading the whole as JSON would say, in a third of the time; undefined = another event, another spelling, or no JSON.
 */
export function readUsualEvent(data: string): UsualEvent | undefined {
  // `{"type":"content_block_` is common to all of them.
  switch (data.charAt(23)) {
    case 'd': {
      const [head, at, kind] = deltaForm.exec(data) ?? [];
      const text = head !== undefined && data.endsWith('}}') ? parseJson(data.slice(head.length, -2)) : undefined;
      return typeof text === 'string' ? { kind: kind?.startsWith('t') ? 'text-delta' : 'call-delta', index: Number(at), text } : undefined;
    }
    case 's': {
      const [stop, at] = stopForm.exec(data) ?? [];
      if (stop !== undefined) return { kind: 'stop', index: Number(at) };
      const [call, place, wireId = '', name = ''] = callForm.exec(data) ?? [];
      return call === undefined ? undefined : { kind: 'call-start', index: Number(place), wireId, name };
    }
    default:
      return undefined;
  }
}
