import { describe, expect, it } from 'vitest';
import { schemaError } from '@/lib/registry/error-wording';
import { lessonOf } from '@/lib/registry/lesson';

const schema = {
  type: 'object',
  required: ['path'],
  properties: { path: { type: 'string' }, start_line: { type: 'integer' }, max_lines: { type: 'integer' } },
};

describe('the lesson of a wrong call', () => {
  it('knows other names of a field, other spellings, and slips', () => {
    expect(lessonOf(schema, { filePath: 'a', startLine: 1, limit: 2 }).corrections).toEqual({ filePath: 'path', startLine: 'start_line', limit: 'max_lines' });
    expect(lessonOf(schema, { pth: 'a', max_line: 2, start: 3 }).corrections).toEqual({ max_line: 'max_lines' });
  });

  it('takes no field twice, and none that arrived', () => {
    expect(lessonOf(schema, { file: 'a', file_path: 'b' }).corrections).toEqual({ file: 'path' });
    expect(lessonOf(schema, { path: 'a', file_path: 'b' }).corrections).toEqual({});
  });

  it('leaves names of object members alone', () => {
    expect(lessonOf(schema, JSON.parse('{"constructor":1,"__proto__":2,"toString":3}')).corrections).toEqual({});
  });

  it('is in the message of a missing field', () => {
    expect(schemaError('read_file', schema, { file_path: 'a' }, [])).toEqual({
      kind: 'missing-field',
      message:
        'read_file: missing path. These fields arrived: file_path. Likely meant: path instead of file_path. It takes: path* (string), start_line (integer), max_lines (integer). * = required. Send the call again with every required field.',
    });
  });

  it('a required field of an inner object is missing too', () => {
    const edits = { type: 'object', required: ['edits'], properties: { edits: { type: 'array' } } };
    expect(schemaError('edit', edits, { edits: [{ replace: 'x' }] }, [{ path: ['edits', 0, 'search'], message: 'is missing' }])).toMatchObject({
      kind: 'missing-field',
      message: expect.stringContaining('missing edits.0.search.'),
    });
  });
});
