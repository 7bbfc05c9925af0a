export { createLatchkey } from './create-latchkey.ts'
export type { Latchkey, LatchkeyEvents, LatchkeyOptions, Preload, Ready } from './latchkey.ts'
export * from './published.ts'
