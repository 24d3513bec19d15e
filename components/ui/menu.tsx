import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

const itemLook =
  'flex min-h-7 cursor-pointer items-center gap-2 rounded-sm py-1 pr-3 pl-2 outline-none select-none data-highlighted:bg-surface-3 data-highlighted:text-ink-1 data-disabled:cursor-default data-disabled:text-ink-3';

/** A menu under a button; `trigger` is one button element. */
export function Menu({
  trigger,
  name,
  children,
  align = 'start',
}: {
  readonly trigger: ReactNode;
  readonly name: string;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label={name}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-56 overflow-auto rounded-md border border-line-strong bg-surface-0 p-1 text-ink-1 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({
  children,
  onSelect,
  disabled = false,
}: {
  readonly children: ReactNode;
  readonly onSelect: () => void;
  readonly disabled?: boolean;
}) {
  return (
    <DropdownMenu.Item disabled={disabled} onSelect={onSelect} className={itemLook}>
      <span className="w-4" />
      {children}
    </DropdownMenu.Item>
  );
}

export function MenuChoices({
  value,
  onChange,
  children,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}) {
  return (
    <DropdownMenu.RadioGroup value={value} onValueChange={onChange}>
      {children}
    </DropdownMenu.RadioGroup>
  );
}

export function MenuChoice({ value, children }: { readonly value: string; readonly children: ReactNode }) {
  return (
    <DropdownMenu.RadioItem value={value} className={itemLook}>
      <span className="w-4 text-accent">
        <DropdownMenu.ItemIndicator>
          <Check aria-hidden size={16} />
        </DropdownMenu.ItemIndicator>
      </span>
      {children}
    </DropdownMenu.RadioItem>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <DropdownMenu.Label className="px-2 pt-1.5 pb-0.5 text-small text-ink-3">{children}</DropdownMenu.Label>;
}

export function MenuRule() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}
