export { findRequester, putRequester, registrationSchema } from './requesters.ts'
