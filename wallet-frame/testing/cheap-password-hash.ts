import { hashPassword, type PasswordHash } from '../vault/recovery/password.ts'

const CHEAPER = 1_024

/** Computes Argon2id with a 1,024th of the memory. The result still depends on every parameter. */
export const cheapPasswordHash: PasswordHash = (password, salt, { memoryKib, ...params }) =>
  hashPassword(password, salt, { ...params, memoryKib: memoryKib / CHEAPER })
