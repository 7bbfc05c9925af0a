import type { Capability } from '../../kernel/capability.ts'
import { takeBackPages } from './pages.ts'
import { noticeEndpoints } from './routes.ts'

export const takeBack: Capability = {
  name: 'take-back',
  endpoints: noticeEndpoints,
  pages: takeBackPages,
}
