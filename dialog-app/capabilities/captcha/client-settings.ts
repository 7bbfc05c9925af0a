import type { ClientSetting } from '../../host/idle-settings.ts'

/** The app decides alone: a host could neither ask for a captcha that the server does not check, nor do without one. */
export const clientSettings: readonly ClientSetting[] = []
