import { notificationsAsked } from './preferences';

/** What the browser says about notifications; `unasked`: nobody was asked yet, in this browser or by it. */
export type NotificationState = 'allowed' | 'unasked' | 'refused';

export function notificationState(): NotificationState {
  if (typeof Notification === 'undefined' || Notification.permission === 'denied') return 'refused';
  if (Notification.permission === 'granted') return 'allowed';
  return notificationsAsked.get() ? 'refused' : 'unasked';
}

/** Asks the browser, which asks the person; once. Call it from a click: browsers ignore it otherwise. */
export async function askForNotifications(): Promise<NotificationState> {
  notificationsAsked.set();
  await Notification.requestPermission().catch(() => undefined);
  return notificationState();
}

/** The person does not want to be asked. */
export function declineNotifications(): void {
  notificationsAsked.set();
}

/** Shows it where that is allowed and the person looks elsewhere; a click on it brings the page back. */
export function showNotification(title: string, body: string): void {
  if (notificationState() !== 'allowed' || (document.visibilityState === 'visible' && document.hasFocus())) return;
  try {
    const shown = new Notification(title, { body, tag: 'gatehouse' });
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some mobile browsers take notifications from a service worker only; the conversation shows it anyway.
  }
}
