// Re-exports `append` for rooms that may not import `go/`.
export { append } from '../../go/slices/append.ts';
