import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{compileRegex}from"./chunk-R34XF6IZ.js";import"./chunk-ABZBNJLJ.js";import"./chunk-JME7WR2P.js";import"./chunk-RFLN27VX.js";import"./chunk-TSKDQDGY.js";import"./chunk-XQM4SLIR.js";export{compileRegex};
