/** The person does not want the task to go on. */
export function declines(text: string): boolean {
  return /^\s*(no|nope|don['’]?t|do not|stop|cancel|leave it|never ?mind)\b.{0,40}$/i.test(text);
}
