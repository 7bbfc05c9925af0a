import type { Capability } from '../capability.ts'
import { takeBackPages } from './pages.ts'

export const takeBack: Capability = { name: 'take-back', pages: takeBackPages }
