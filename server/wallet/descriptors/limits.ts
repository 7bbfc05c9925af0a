export const descriptorLimits = {
  maxFileBytes: 128 * 1024,
  maxDepth: 16,
  /** Values of the whole JSON document. */
  maxValues: 20_000,
  maxFormats: 200,
  maxFieldsPerFormat: 60,
  maxDeployments: 50,
  maxSignatureLength: 4_096,
  /** Tuples or structs inside each other. */
  maxNesting: 8,
  maxPathLength: 200,
  maxOwnerLength: 60,
  maxIntentLength: 80,
  maxLabelLength: 60,
  maxPerApp: 100,
  /** A request with more lines is not described. */
  maxLines: 200,
  /** Characters of all values of a description. */
  maxDescriptionLength: 64 * 1024,
  /** The user is waiting. After this deadline the request is not described. */
  codeDeadlineMs: 2_000,
  /** The deadline of the command that adds a descriptor. */
  addDeadlineMs: 20_000,
} as const
