export * from './known.ts'
