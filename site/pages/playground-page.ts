// The static page of the playground.
import { sitePage } from './site-page.ts';

const BODY = `<h1 class="unseen">Playground: test a request against policies</h1>
<div class="tools" role="group" aria-label="Request">
<label><span>Example</span><select id="example"></select></label>
<label><span>Kubernetes</span><select id="kubernetesVersion"></select></label>
<label><span>Operation</span><select id="operation"></select></label>
<button type="button" id="share">Share</button>
<details id="request-box"><summary>User and namespace</summary>
<div class="fields">
<label><span>User</span><input id="username" autocomplete="off" spellcheck="false" placeholder="a GitOps controller"></label>
<label><span>Groups, comma-separated</span><input id="groups" autocomplete="off" spellcheck="false"></label>
<label><span>Labels of the namespace</span><input id="namespaceLabels" autocomplete="off" spellcheck="false" placeholder="team=shop, environment=production"></label>
</div>
</details>
</div>
<p id="note" class="muted" role="status"></p>
<div id="link-box" hidden><label><span>Link</span><input id="link" readonly></label></div>
<div class="bench">
<div class="side">
<section aria-label="Object"><h2>Object</h2><div id="object-editor" class="editor"></div></section>
<section aria-label="Old object" id="old-box" hidden><h2>Old object</h2><div id="oldObject-editor" class="editor"></div></section>
<section aria-label="Answer"><h2 id="verdict" class="undecided" aria-live="polite">Starting …</h2><div id="results" aria-busy="true"></div></section>
</div>
<div class="side">
<section aria-label="Policies"><h2>Policies and bindings</h2><div id="policies-editor" class="editor tall"></div></section>
<details id="cluster-box"><summary><h2>Params, Namespaces, other objects</h2></summary><div id="resources-editor" class="editor"></div></details>
</div>
</div>
<noscript><p>The playground runs in your browser and needs JavaScript.</p></noscript>
<p class="muted small">Everything runs in this page, and no text leaves the browser. A shared link stores the texts after <code>#</code>, which browsers do not send.
Write several files one after the other, each below a line <code># file: overlays/live/kustomization.yaml</code>. If one of them is a kustomization,
kustomize is loaded once and runs here too (<a href="engine-licenses.txt">licenses</a>). Remote bases and charts are not fetched. The API
server's own validation is loaded for the first object that needs it (<a href="validation-licenses.txt">licenses</a>).</p>`;

export function playgroundPage(): string {
  return sitePage({
    title: 'Preadmit playground',
    url: 'index.html',
    body: BODY,
    scripts: ['playground.js'],
    policy: [
      // Browsers style edited text with style attributes; style sheets still come only from the site.
      "style-src-attr 'unsafe-inline'",
      "worker-src 'self'",
      "connect-src 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types preadmit-worker',
    ],
    kind: 'playground',
  });
}
