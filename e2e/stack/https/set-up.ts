/** Playwright and vitest run this once, before the first worker starts. */
export { ensureCertificates as default } from './certificates.ts'
