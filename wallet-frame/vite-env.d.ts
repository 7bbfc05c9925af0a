/// <reference types="vite/client" />

/** Set by vite.config.ts. */
declare const VAULT_WORKER_TYPE: WorkerType
