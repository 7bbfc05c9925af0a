/** The calls about OpenID providers. */
import type {
  CreateOidcProviderAnswer,
  CreateOidcProviderBody,
  GetOidcProviderAnswer,
  ListOidcProvidersAnswer,
  RefreshOidcProviderAnswer,
  UpdateOidcProviderAnswer,
  UpdateOidcProviderBody,
} from './contract.ts'
import type { CallOptions, createRequest } from './request.ts'

export type OidcProvider = GetOidcProviderAnswer

export const createOidcCalls = ({ request }: Pick<ReturnType<typeof createRequest>, 'request'>) => ({
  /** Returns the OpenID providers of an app, without their secrets. */
  async list(app: string, call?: CallOptions): Promise<OidcProvider[]> {
    const input = { params: { app }, options: call }
    return (await request<ListOidcProvidersAnswer>('listOidcProviders', input)).body.data
  },

  /** Adds a provider. Register its `redirect_uri` and `logout_uri` there. */
  async create(app: string, body: CreateOidcProviderBody, call?: CallOptions): Promise<OidcProvider> {
    const input = { params: { app }, body, options: call }
    return (await request<CreateOidcProviderAnswer>('createOidcProvider', input)).body
  },

  async get(app: string, provider: string, call?: CallOptions): Promise<OidcProvider> {
    const input = { params: { app, provider }, options: call }
    return (await request<GetOidcProviderAnswer>('getOidcProvider', input)).body
  },

  /** Renames a provider, replaces its client secret, disables it or enables it again. */
  async update(
    app: string,
    provider: string,
    body: UpdateOidcProviderBody,
    call?: CallOptions,
  ): Promise<OidcProvider> {
    const input = { params: { app, provider }, body, options: call }
    return (await request<UpdateOidcProviderAnswer>('updateOidcProvider', input)).body
  },

  /** Reads the discovery document of a provider again. */
  async refresh(app: string, provider: string, call?: CallOptions): Promise<OidcProvider> {
    const input = { params: { app, provider }, options: call }
    return (await request<RefreshOidcProviderAnswer>('refreshOidcProvider', input)).body
  },
})
