/** Decodes requests for display to the user. */
export * from './amounts.ts'
export * from './orders.ts'
export * from './shown-message.ts'
export * from './sign-in-message.ts'
export * from './token-action.ts'
export * from './typed-data-meaning.ts'
export * from './typed-data-tree.ts'
export * from './typed-data-words.ts'
