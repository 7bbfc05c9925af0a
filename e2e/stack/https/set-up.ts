/** Playwright and Vitest run this once, before the first worker starts. */
export { ensureCertificates as default } from './certificates.ts'
