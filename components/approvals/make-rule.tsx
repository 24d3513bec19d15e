'use client';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { CallId } from '@/lib/contracts/ids';

/** Writes the narrowest rule that allows this call to the policy file; says the rule, or why there is none. */
export function MakeRule({ callId, onMakeRule }: { readonly callId: CallId; readonly onMakeRule: (callId: CallId) => Promise<string> }) {
  const [told, setTold] = useState('');
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        look="quiet"
        onClick={() => {
          setTold('Writing the rule…');
          void onMakeRule(callId).then(setTold);
        }}
      >
        <ScrollText aria-hidden size={14} /> Make a rule from this call
      </Button>
      <span role="status" className="text-small wrap-anywhere text-ink-2">
        {told}
      </span>
    </div>
  );
}
