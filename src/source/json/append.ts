// `append` for rooms that know no other part of Go.
export { append } from '../../go/slices/append.ts';
