/** Run-time support for texts in browsers, without the message parser. */
export * from './catalogue.ts'
export * from './languages.ts'
export * from './say.ts'
