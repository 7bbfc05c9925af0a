import type { ClientSetting } from '../../host/idle-settings.ts'

export const clientSettings: readonly ClientSetting[] = ['captchaEnabled', 'captchaSiteKey']
