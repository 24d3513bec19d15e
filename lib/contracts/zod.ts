import * as z from 'zod';

// A strict CSP forbids `new Function`; the switch must be set before any schema is made, hence in the one module that exports z.
z.config({ jitless: true });

export { z };
