/** Runs once on the next frame; in a hidden tab, where frames stop, within a quarter of a second. */
export function onNextFrame(run: () => void): void {
  let done = false;
  const once = (): void => {
    if (done) return;
    done = true;
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    run();
  };
  const timer = setTimeout(once, 250);
  const frame = requestAnimationFrame(once);
}
