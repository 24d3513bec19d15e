'use client';
import { BellRing } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { askForNotifications, declineNotifications, notificationState, showNotification } from '@/lib/client/notifications';
import { usePage } from '@/lib/client/use-engine';
import type { NoticeItem, SessionView } from '@/lib/client/view-types';

/** Hands notifications of the agent to the browser as they come; offers to allow them, once, when the first one comes. */
export function Notifier() {
  const session = usePage((page) => page.session);
  const seen = useRef<{ sessionId: string; seq: number } | undefined>(undefined);
  const [offers, setOffers] = useState(false);
  useEffect(() => {
    if (session === undefined) return;
    // What was there when the session was opened is history, not news.
    if (seen.current?.sessionId !== session.sessionId) {
      seen.current = { sessionId: session.sessionId, seq: session.lastSeq };
      return;
    }
    const { seq } = seen.current;
    if (session.lastSeq <= seq) return;
    seen.current = { sessionId: session.sessionId, seq: session.lastSeq };
    const fresh = notificationsSince(session, seq);
    if (fresh.length > 0 && notificationState() === 'unasked') setOffers(true);
    for (const notice of fresh) showNotification(notice.notification ?? '', notice.text);
  }, [session]);
  if (!offers) return null;
  return (
    <section aria-label="Notifications" className="flex flex-wrap items-center gap-1.5 border-t border-line bg-surface-0 px-3 py-2">
      <BellRing aria-hidden size={16} className="shrink-0 text-note" />
      <p className="min-w-0 flex-1">The agent wants to tell you things while you look elsewhere.</p>
      <Button
        onClick={() => {
          setOffers(false);
          void askForNotifications();
        }}
      >
        Allow notifications
      </Button>
      <Button
        look="quiet"
        onClick={() => {
          setOffers(false);
          declineNotifications();
        }}
      >
        Not now
      </Button>
    </section>
  );
}

function notificationsSince(session: SessionView, seq: number): readonly NoticeItem[] {
  // News stands at the end: in the newest turn, or after it.
  return session.items.slice(-3).flatMap((item) => {
    const notices = item.kind === 'notice' ? [item] : item.turn.items.filter((inner) => inner.kind === 'notice');
    return notices.filter((notice) => notice.notification !== undefined && notice.seq > seq);
  });
}
