import { arabic as landing } from '../../texts.ar.ts'
import type { ConnectOrCreateTexts } from './texts.en.ts'

export const arabic: ConnectOrCreateTexts = {
  ...landing,
  title: 'وصّل محفظة أو أنشئ واحدة',
  lead: 'وصّل محفظة لديك، أو سجّل الدخول واحصل على واحدة.',
}
