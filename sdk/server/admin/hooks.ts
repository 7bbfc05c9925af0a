/** The calls about hooks. */
import type {
  CreateHookAnswer,
  CreateHookBody,
  DeleteHookAnswer,
  GetHookAnswer,
  ListHooksAnswer,
  ReadHookSecretAnswer,
  RotateHookSecretAnswer,
  UpdateHookAnswer,
  UpdateHookBody,
} from './contract.ts'
import type { CallOptions, ChangeOptions, createRequest } from './request.ts'

export type Hook = GetHookAnswer

export const createHookCalls = ({ request }: Pick<ReturnType<typeof createRequest>, 'request'>) => ({
  /** Returns the hooks of an app. */
  async list(app: string, call?: CallOptions): Promise<Hook[]> {
    return (await request<ListHooksAnswer>('listHooks', { params: { app }, options: call })).body.data
  },

  /** Creates a hook. Its secret is returned by `readSecret`. */
  async create(app: string, body: CreateHookBody, call?: CallOptions) {
    return (await request<CreateHookAnswer>('createHook', { params: { app }, body, options: call })).body
  },

  /** Returns a hook, and the etag for `ifMatch`. */
  async get(app: string, hook: string, call?: CallOptions) {
    const { body, etag } = await request<GetHookAnswer>('getHook', { params: { app, hook }, options: call })
    return { hook: body, etag }
  },

  /** Changes a hook, disables it or enables it again. */
  async update(app: string, hook: string, body: UpdateHookBody, call?: ChangeOptions) {
    const input = { params: { app, hook }, body, options: call }
    return (await request<UpdateHookAnswer>('updateHook', input)).body
  },

  /** Deletes a hook with its secrets. */
  async delete(app: string, hook: string, call?: ChangeOptions) {
    const input = { params: { app, hook }, options: call }
    return (await request<DeleteHookAnswer>('deleteHook', input)).body
  },

  /** Returns the secrets that sign now, newest first. */
  async readSecret(app: string, hook: string, call?: CallOptions) {
    const input = { params: { app, hook }, options: call }
    return (await request<ReadHookSecretAnswer>('readHookSecret', input)).body.data
  },

  /** Creates another secret. Earlier ones sign for one more day. */
  async rotateSecret(app: string, hook: string, call?: CallOptions) {
    const input = { params: { app, hook }, options: call }
    return (await request<RotateHookSecretAnswer>('rotateHookSecret', input)).body
  },
})
