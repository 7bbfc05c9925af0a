/** What code with texts runs in a browser: no parser of messages is among it. */
export * from './catalogue.ts'
export * from './languages.ts'
export * from './say.ts'
