import type { ClientSetting } from '../../host/settings.ts'

export const clientSettings: readonly ClientSetting[] = ['legal.requireUsersAcceptTerms']
