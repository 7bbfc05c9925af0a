type Ports = { server: number; demo: number; inbox: number; smtp: number; chain: number }

export declare const localPorts: () => Ports
export declare const isFree: (port: number) => Promise<boolean>
export declare const freePort: () => Promise<number>
export declare const refuseTakenPorts: (ports: Ports) => Promise<void>
