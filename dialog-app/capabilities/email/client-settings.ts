import type { ClientSetting } from '../../host/idle-settings.ts'

export const clientSettings: readonly ClientSetting[] = ['appearance.hideDirectWeb2Inputs']
