import { Buffer } from 'buffer';

// The shell and node programs expect the global; it must be there before their modules run, so it is a module imported first.
Object.assign(globalThis, { Buffer });
