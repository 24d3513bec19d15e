'use client';
import { useEffect, useRef } from 'react';
import type { Tab } from '@/lib/client/open-files';
import { languageOf, monaco, sharedOptions } from './monaco';

/** Before and after of one file, side by side where there is room. */
export default function DiffEditor({ tab }: { readonly tab: Extract<Tab, { kind: 'diff' }> }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const editor = monaco.editor.createDiffEditor(place.current, {
      ...sharedOptions,
      readOnly: true,
      originalEditable: false,
      renderSideBySide: true,
      useInlineViewWhenSpaceIsLimited: true,
      renderOverviewRuler: false,
      hideUnchangedRegions: { enabled: true },
      originalAriaLabel: `${tab.path}, ${tab.beforeLabel}`,
      modifiedAriaLabel: `${tab.path}, ${tab.afterLabel}`,
    });
    const original = monaco.editor.createModel(tab.before, languageOf(tab.path));
    const modified = monaco.editor.createModel(tab.after, languageOf(tab.path));
    editor.setModel({ original, modified });
    // The diff editor's own labels do not reach the element that is focused.
    editor.getOriginalEditor().updateOptions({ ariaLabel: `${tab.path}, ${tab.beforeLabel}` });
    editor.getModifiedEditor().updateOptions({ ariaLabel: `${tab.path}, ${tab.afterLabel}` });
    return () => {
      editor.dispose();
      original.dispose();
      modified.dispose();
    };
  }, [tab]);
  return <div ref={place} className="h-full" />;
}
