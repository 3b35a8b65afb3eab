// Line charts of the audit page as SVG elements, with the numbers as a table below. A library for it would be larger than the page.

export const CHART_ELEMENTS = `
var DASHES = ['', '6 3', '2 3', '8 3 2 3', '1 4', '10 2'];
function svg(name, options) {
  var element = document.createElementNS('http://www.w3.org/2000/svg', name);
  Object.keys(options || {}).forEach(function (key) {
    if (options[key] === undefined || options[key] === '') return;
    if (key === 'text') element.textContent = options[key];
    else element.setAttribute(key, String(options[key]));
  });
  for (var index = 2; index < arguments.length; index++) element.appendChild(arguments[index]);
  return element;
}
/** Parts of a line between days without a number. */
function pieces(values, x, y) {
  var made = [];
  var piece = [];
  values.forEach(function (value, index) {
    if (value === null) { if (piece.length > 0) made.push(piece); piece = []; }
    else piece.push(x(index).toFixed(1) + ',' + y(value).toFixed(1));
  });
  if (piece.length > 0) made.push(piece);
  return made;
}
function highest(lines) {
  return lines.reduce(function (most, line) { return line.values.reduce(function (high, value) { return Math.max(high, value || 0); }, most); }, 1);
}
/** 'conclusions': of each day; a question mark stands above a day that was not judged completely. */
function chart(title, days, lines, conclusions) {
  var width = Math.max(300, Math.min(900, main.clientWidth || 720)), height = 220, left = 44, right = 12, top = 22, bottom = 24;
  var first = Date.parse(days[0]), span = Math.max(1, Date.parse(days[days.length - 1]) - first);
  var most = highest(lines);
  function x(index) { return days.length === 1 ? (left + width - right) / 2 : left + (width - left - right) * (Date.parse(days[index]) - first) / span; }
  function y(value) { return height - bottom - (height - top - bottom) * value / most; }
  var picture = svg('svg', { viewBox: '0 0 ' + width + ' ' + height, class: 'chart', role: 'img', 'aria-label': title + ', ' + days[0] + ' to ' + days[days.length - 1] + '; the table below has the numbers' });
  [0, most / 2, most].forEach(function (value) {
    if (value !== Math.floor(value)) return;
    picture.appendChild(svg('line', { x1: left, x2: width - right, y1: y(value), y2: y(value), class: 'axis' }));
    picture.appendChild(svg('text', { x: left - 6, y: y(value) + 4, 'text-anchor': 'end', text: value }));
  });
  var last = days.length - 1;
  (last === 0 ? [0] : [0, last]).forEach(function (index) {
    picture.appendChild(svg('text', { x: last === 0 ? x(0) : index === 0 ? left : width - right, y: height - 6, 'text-anchor': last === 0 ? 'middle' : index === 0 ? 'start' : 'end', text: days[index] }));
  });
  lines.forEach(function (line, number) {
    pieces(line.values, x, y).forEach(function (piece) {
      var colour = 'c' + number % 6;
      if (piece.length === 1) picture.appendChild(svg('circle', { cx: piece[0].split(',')[0], cy: piece[0].split(',')[1], r: 3, class: 'dot ' + colour }));
      else picture.appendChild(svg('polyline', { points: piece.join(' '), class: 'line ' + colour, fill: 'none', 'stroke-dasharray': DASHES[number % 6] }));
    });
  });
  var open = 0;
  (conclusions || []).forEach(function (conclusion, index) {
    if (conclusion !== 'undecided' && conclusion !== 'nothing-checked') return;
    open += 1;
    picture.appendChild(svg('text', { x: x(index), y: 14, 'text-anchor': 'middle', text: '?' }));
  });
  var legend = make('ul', { class: 'legend' });
  lines.forEach(function (line, number) {
    var sample = svg('svg', { viewBox: '0 0 32 10', 'aria-hidden': 'true' }, svg('line', { x1: 0, x2: 32, y1: 5, y2: 5, class: 'line c' + number % 6, 'stroke-width': 2, 'stroke-dasharray': DASHES[number % 6] }));
    legend.appendChild(make('li', null, sample, make('span', { text: ' ' + line.name })));
  });
  var rows = days.map(function (day, index) { return [day].concat(lines.map(function (line) { return line.values[index] === null ? 'unknown' : String(line.values[index]); }), conclusions ? [conclusions[index]] : []); }).reverse();
  var numbers = make('details', null, make('summary', { text: 'Numbers' }));
  numbers.addEventListener('toggle', function () {
    if (numbers.childNodes.length === 1) numbers.appendChild(table(title, ['day'].concat(lines.map(function (line) { return line.name; }), conclusions ? ['audit'] : []), rows, function (row) { return row; }));
  });
  var caption = title + (open === 0 ? '' : '. A question mark stands for an audit that could not judge everything (' + open + ').');
  return make('figure', null, make('figcaption', { text: caption }), picture, legend, numbers);
}
/** A small line without axes; the numbers are in the cells beside it. */
function spark(values) {
  if (values === undefined || values.length < 2) return make('span', { text: '' });
  var most = highest([{ values: values }]);
  var picture = svg('svg', { viewBox: '0 0 112 24', class: 'spark', role: 'img', 'aria-label': 'from ' + (values[0] === null ? 'unknown' : values[0]) + ' to ' + values[values.length - 1] + ', highest ' + most });
  pieces(values, function (index) { return 2 + 108 * index / (values.length - 1); }, function (value) { return 21 - 18 * value / most; }).forEach(function (piece) {
    if (piece.length > 1) picture.appendChild(svg('polyline', { points: piece.join(' '), class: 'line c2', fill: 'none' }));
  });
  return picture;
}
`;
