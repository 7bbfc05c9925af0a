export type DescriptorRefusalCode =
  | 'descriptor_invalid'
  | 'descriptor_too_large'
  | 'descriptor_not_supported'
  | 'descriptor_exists'
  | 'too_many_descriptors'
  | 'contract_not_found'
  | 'chain_node_failed'

/** The reason why a descriptor cannot be used. `path` is the place in the file, if there is one. */
export class DescriptorRefusal extends Error {
  code: DescriptorRefusalCode
  path: string

  constructor(code: DescriptorRefusalCode, path: string, message: string) {
    super(message)
    this.code = code
    this.path = path
  }
}

export const invalid = (path: string, message: string) =>
  new DescriptorRefusal('descriptor_invalid', path, message)
export const notSupported = (path: string, message: string) =>
  new DescriptorRefusal('descriptor_not_supported', path, message)
