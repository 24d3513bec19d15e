import type { ButtonHTMLAttributes, Ref } from 'react';

const looks = {
  plain: 'border-line-strong bg-surface-0 text-ink-1 hover:bg-surface-2',
  primary: 'border-accent bg-accent text-accent-ink hover:brightness-110',
  quiet: 'border-transparent text-ink-2 hover:bg-surface-2 hover:text-ink-1',
  danger: 'border-bad bg-surface-0 text-bad hover:bg-bad-soft',
} as const;

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: keyof typeof looks;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = 'plain', className = '', type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={`inline-flex min-h-7 items-center justify-center gap-1.5 rounded-md border px-2.5 py-0.5 font-medium transition-colors disabled:opacity-55 ${looks[look]} ${className}`}
      {...rest}
    />
  );
}

/** A square button with a shape; the name is what it does. */
export function IconButton({ name, className = '', children, ...rest }: ButtonProps & { readonly name: string }) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      className={`inline-flex size-7 shrink-0 items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-surface-2 hover:text-ink-1 disabled:opacity-55 ${className}`}
      {...rest}
    >
      {children}
    </button>
  );
}
