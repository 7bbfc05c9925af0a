import { telegram } from '../../ui/marks/brands/telegram.ts'
import type { Look } from '../../window-login/waiting-screen.tsx'

export const look: Look = { title: 'Telegram', mark: telegram }
