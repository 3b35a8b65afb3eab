// The part of the WebAssembly interface that the engine uses; neither Node's types nor TypeScript's ES library declare it.

/** A compiled module; it can be sent to worker threads. */
export type EngineModule = object & { readonly [brand]: 'WebAssembly.Module' };
declare const brand: unique symbol;

export type ModuleImports = Readonly<Record<string, (...args: never[]) => unknown>>;

export interface EngineExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly _initialize: () => void;
  /** The functions that the program exports; they take and return nothing. */
  readonly [name: string]: (() => void) | { readonly buffer: ArrayBuffer };
}

interface WebAssemblyInterface {
  readonly Module: new (bytes: Uint8Array) => EngineModule;
  readonly Instance: new (
    module: EngineModule,
    imports: Readonly<Record<string, ModuleImports>>,
  ) => { readonly exports: EngineExports };
}

declare const WebAssembly: WebAssemblyInterface | undefined;
/** Undefined in browsers without WebAssembly. This file must still load there: only rendering needs the interface. */
export const webAssembly = (typeof WebAssembly === 'undefined' ? undefined : WebAssembly) as WebAssemblyInterface;
