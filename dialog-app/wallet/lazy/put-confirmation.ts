/** It comes with the first request: a login needs none. */
import { confirmRoutes } from '@latchkey/protocol/api'
import type { Confirm, ConfirmPorts } from '../confirmed.ts'

export async function putConfirmation(
  { api, clock, hostOrigin: origin, newHandle, buttonUrl }: ConfirmPorts,
  ...[
    address,
    request,
    { signal, place = 'frame', handle = newHandle(), requester } = {},
  ]: Parameters<Confirm>
): ReturnType<Confirm> {
  const askedAtMs = clock.nowMs()
  const { expiresInSeconds, ...said } = await api.call(
    confirmRoutes.putConfirmation,
    { handle, address, request, origin, place, ...(requester && { requester }) },
    { signal },
  )
  return {
    ...said,
    handle,
    ...(requester && { isRelayed: true }),
    expiresAtMs: askedAtMs + expiresInSeconds * 1_000,
    buttonUrl: buttonUrl('confirm', handle),
  }
}
