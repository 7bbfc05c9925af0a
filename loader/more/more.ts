/** The second file: what few pages need, loaded when it is first used. */
export { findOutWhy } from './why-unreachable.ts'
