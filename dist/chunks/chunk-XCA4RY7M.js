import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{text}from"./chunk-KV27G2MN.js";import{EXIT}from"./chunk-HSIHQTVB.js";function stoppedBy({report},{color,width,err}){return err(text.render(report,{color,width,showSkipped:!1,quiet:!0})),EXIT.usage}export{stoppedBy};
