import type { Look } from '../../window-login/waiting-screen.tsx'
import { telegram } from './mark.ts'

export const look: Look = { title: 'Telegram', mark: telegram }
