import { claimsHook } from '../../identity/sessions/sessions.ts'
import { messageHook } from '../../integrations/mail/mail.ts'
import type { Capability, PortSources } from '../../kernel/capability.ts'
import type { Registry } from '../../kernel/registry.ts'
import { loginHook } from '../../login/hook/hook.ts'
import { hookEndpoints } from './calls.ts'
import { createHookClient, type HookClientOptions } from './client.ts'
import { hooksCommand } from './command.ts'
import { createClaimsHook, createLoginHook, createMessageHook } from './hooks.ts'
import { hookLimits } from './limits.ts'
import { hookMigrations } from './store.ts'

/** Provides the hooks to the layers below, which share one client. */
export function openHooks(sources: PortSources, ports: Registry, options?: HookClientOptions): void {
  const client = createHookClient(sources, options)
  loginHook.set(ports, createLoginHook(client))
  claimsHook.set(ports, createClaimsHook(client))
  messageHook.set(ports, createMessageHook(client))
}

export const hooks: Capability = {
  name: 'hooks',
  ports: [
    (sources, ports) => {
      openHooks(sources, ports)
      return () => {}
    },
  ],
  adminEndpoints: hookEndpoints,
  appCommands: [hooksCommand],
  migrations: hookMigrations,
  userRows: [{ table: 'session_claims', goes: 'with the account', by: ['user_id'] }],
  expiryRules: [
    {
      table: 'session_claims',
      key: ['session_id'],
      column: 'created_at',
      retentionSeconds: hookLimits.claimsKeptSeconds,
    },
  ],
}
