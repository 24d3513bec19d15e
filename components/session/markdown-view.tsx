import { memo, type ReactNode, useMemo } from 'react';
import { type Inline, type MarkdownBlock, parseMarkdown } from '@/lib/client/markdown';

/** Assistant text as a safe subset of markdown; nothing in it can become markup, an image or a request. */
export const MarkdownView = memo(function MarkdownView({ text }: { readonly text: string }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return <div className="space-y-2 wrap-anywhere">{renderBlocks(blocks)}</div>;
});

function renderBlocks(blocks: readonly MarkdownBlock[]): ReactNode[] {
  return blocks.map((block, index) => <Block key={`${index}:${block.kind}`} block={block} />);
}

function Block({ block }: { readonly block: MarkdownBlock }) {
  switch (block.kind) {
    case 'paragraph':
      return <p className="whitespace-pre-line">{renderInline(block.inline)}</p>;
    case 'heading':
      // A message stands below the panel's own headings, whatever level its author thought of.
      return (
        <p role="heading" aria-level={Math.min(6, block.level + 3)} className="pt-1 font-semibold">
          {renderInline(block.inline)}
        </p>
      );
    case 'code':
      return (
        <pre
          tabIndex={0}
          role="group"
          aria-label={block.language ? `Code, ${block.language}` : 'Code'}
          className="max-h-96 overflow-auto rounded-sm border border-line bg-surface-0 px-2.5 py-1.5 text-code"
        >
          {block.text}
        </pre>
      );
    case 'quote':
      return <blockquote className="space-y-2 border-l-2 border-line-strong pl-3 text-ink-2">{renderBlocks(block.blocks)}</blockquote>;
    case 'rule':
      return <hr className="border-line" />;
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={`${index}`} className="space-y-1 pl-1">
          {renderBlocks(item)}
        </li>
      ));
      return block.ordered ? (
        <ol start={block.start} className="list-decimal space-y-0.5 pl-6">
          {items}
        </ol>
      ) : (
        <ul className="list-disc space-y-0.5 pl-5">{items}</ul>
      );
    }
    case 'table':
      return (
        <div tabIndex={0} role="group" aria-label="Table" className="overflow-x-auto">
          <table className="border-collapse">
            <thead>
              <tr>
                {block.header.map((cell, index) => (
                  <th key={`${index}`} className="border border-line px-2 py-0.5 text-left font-semibold">
                    {renderInline(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                <tr key={`${at}`}>
                  {row.map((cell, index) => (
                    <td key={`${index}`} className="border border-line px-2 py-0.5">
                      {renderInline(cell)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function renderInline(parts: readonly Inline[]): ReactNode[] {
  return parts.map((part, index) => <InlinePart key={`${index}`} part={part} />);
}

function InlinePart({ part }: { readonly part: Inline }) {
  switch (part.kind) {
    case 'text':
      return <>{part.text}</>;
    case 'code':
      return <code className="rounded-sm bg-surface-2 px-1 py-px">{part.text}</code>;
    case 'strong':
      return <strong>{renderInline(part.inline)}</strong>;
    case 'emphasis':
      return <em>{renderInline(part.inline)}</em>;
    case 'link':
      return (
        <a href={part.href} target="_blank" rel="noopener noreferrer" title={part.href} className="text-accent underline underline-offset-2">
          {renderInline(part.inline)}
        </a>
      );
  }
}
