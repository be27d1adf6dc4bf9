
// SPDX-FileCopyrightText: 2026 the archgrid authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws the map of an audit. What is shown stands in the address, so that it can be shared:
//   #search=gemm&verdict=missing,empty&broken=1&file=libx.so&sort=-9.0&kernel=_Z1kPf&theme=dark
'use strict';
(() => {
  const ROW_HEIGHT = 26;
  const OVERSCAN = 12;
  const MOST_PRINTED = 2000;
  const LETTERS = ['N', 'C', 'J', '?', 'P', 'S', 'M', 'E'];
  const STATES = ['kept', 'broken', 'ignored', 'not-promised', 'suspect'];
  const SEVERITY = [1, 4, 3, 0, 2];
  const FIRST_SORT = 'verdict';

  const data = JSON.parse(document.getElementById('data').textContent);
  const SAYS = data.promised ? ['', ', promise broken', ', ignored', ', not promised', ', suspect'] :
      ['', ', error', ', ignored', ', not judged', ', suspect'];
  const element = (id) => document.getElementById(id);
  const collator = new Intl.Collator('en', {numeric: true});

  const make = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const plural = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

  // --- what was audited ----------------------------------------------------------------------

  const columns = [...new Set(data.files.flatMap((file) => file.devices))]
      .sort((left, right) => Number(left) - Number(right));

  // Names are stored without what they share with the one before.
  const kernels = [];
  data.files.forEach((file, fileIndex) => {
    file.at = columns.map((device) => file.devices.indexOf(device));
    file.label = file.cell ? `${file.cell}: ${file.path}` : file.path;
    file.count = 0;
    let name = '';
    let demangled = '';
    const told = file.kernels;
    for (let at = 0; at < told.length; at += 7) {
      name = name.slice(0, told[at]) + told[at + 1] + name.slice(name.length - told[at + 2]);
      demangled = told[at + 3] < 0 ? name :
          demangled.slice(0, told[at + 3]) + told[at + 4] + demangled.slice(demangled.length - told[at + 5]);
      kernels.push({name, demangled, pattern: told[at + 6], file: fileIndex});
      ++file.count;
    }
    delete file.kernels;
  });

  // A field is verdict + number of verdicts x state.
  const VERDICTS = data.verdicts.length;
  const verdictOf = (field) => field % VERDICTS;
  const stateOf = (field) => Math.floor(field / VERDICTS);
  const rankOf = (field) => field < 0 ? -1 : SEVERITY[stateOf(field)] * VERDICTS + verdictOf(field);
  const patterns = data.patterns.map((flat) => {
    const fields = flat.filter((_, index) => index % 2 === 0);
    const reasons = flat.filter((_, index) => index % 2 === 1);
    let worst = 0;
    let verdicts = 0;
    let broken = false;
    for (const field of fields) {
      worst = Math.max(worst, rankOf(field));
      if (stateOf(field) !== 3) verdicts |= 1 << verdictOf(field);
      broken = broken || stateOf(field) === 1;
    }
    return {fields, reasons, worst, verdicts, broken};
  });
  const fieldAt = (kernel, column) => {
    const at = data.files[kernel.file].at[column];
    return at < 0 ? -1 : patterns[kernel.pattern].fields[at];
  };
  const reasonAt = (kernel, column) =>
      data.reasons[patterns[kernel.pattern].reasons[data.files[kernel.file].at[column]]];
  const titleOf = (kernel, column) => {
    const field = fieldAt(kernel, column);
    if (field < 0) return `${columns[column]}: not audited for it`;
    return `${columns[column]}: ${data.verdicts[verdictOf(field)]}${SAYS[stateOf(field)]}`;
  };

  // tile<Shape<64, 8>> of void ns::tile<ns::Shape<64, 8> >(float*)
  const withoutParameters = (demangled) => {
    let depth = 0;
    for (let at = 0; at < demangled.length; ++at) {
      const c = demangled[at];
      if (c === '(' && demangled.startsWith('(anonymous namespace)', at)) {
        at += 20;
      } else if (c === '(' && depth === 0 && at > 0) {
        return demangled.slice(0, at);
      } else if (c === '<' || c === '(') {
        ++depth;
      } else if (c === '>' || c === ')') {
        --depth;
      }
    }
    return demangled;
  };
  const readable = (name) => name.replace(/^void /, '').replaceAll('(anonymous namespace)::', '').replaceAll('> >', '>>');
  const withScopes = (kernel) => readable(withoutParameters(kernel.demangled));
  const withOneScope = (kernel) => withScopes(kernel).replace(/(?:[A-Za-z_]\w*::)+(?=[A-Za-z_]\w*::)/g, '');
  const withoutScopes = (kernel) => withScopes(kernel).replace(/(?:[A-Za-z_]\w*::)+/g, '');
  // Kernels of a file that have one short name are told apart by what it leaves out.
  const nameShortly = (alike, namers) => {
    const [namer, ...others] = namers;
    const groups = new Map();
    for (const kernel of alike) {
      kernel.short = namer(kernel);
      if (others.length === 0) continue;
      const group = groups.get(kernel.short);
      if (group) group.push(kernel);
      else groups.set(kernel.short, [kernel]);
    }
    for (const group of groups.values()) if (group.length > 1) nameShortly(group, others);
  };
  const kernelsOf = data.files.map(() => []);
  for (const kernel of kernels) kernelsOf[kernel.file].push(kernel);
  for (const alike of kernelsOf) {
    nameShortly(alike, [withoutScopes, withOneScope, withScopes, (kernel) => readable(kernel.demangled)]);
  }
  const shortName = (kernel) => kernel.short;

  // --- what is shown -------------------------------------------------------------------------

  const view = {search: '', verdict: new Set(), broken: false, file: '', sort: FIRST_SORT, kernel: '', theme: ''};
  let items = [];  // kernels, and {header: file index}
  let shown = 0;
  let cursor = {row: 0, column: 0};
  const folded = new Set();

  const readAddress = () => {
    const wishes = new URLSearchParams(location.hash.slice(1));
    const verdicts = (wishes.get('verdict') || '').split(',').map((name) => data.verdicts.indexOf(name));
    view.search = wishes.get('search') || '';
    view.verdict = new Set(verdicts.filter((index) => index >= 0));
    view.broken = wishes.get('broken') === '1';
    view.file = wishes.get('file') || '';
    view.sort = wishes.get('sort') || FIRST_SORT;
    view.kernel = wishes.get('kernel') || '';
    view.theme = wishes.get('theme') || view.theme;
  };
  const writeAddress = () => {
    const wishes = new URLSearchParams();
    if (view.search) wishes.set('search', view.search);
    if (view.verdict.size) wishes.set('verdict', [...view.verdict].sort().map((index) => data.verdicts[index]).join(','));
    if (view.broken) wishes.set('broken', '1');
    if (view.file) wishes.set('file', view.file);
    if (view.sort !== FIRST_SORT) wishes.set('sort', view.sort);
    if (view.kernel) wishes.set('kernel', view.kernel);
    if (view.theme) wishes.set('theme', view.theme);
    const fragment = wishes.toString();
    const address = `${location.pathname}${location.search}${fragment && `#${fragment}`}`;
    try {
      history.replaceState(null, '', address);
    } catch {
      // Some places that a page is shown in have no history.
    }
  };

  const matcher = () => {
    if (!view.search) return () => true;
    const glob = /[*?]/.test(view.search);
    const escaped = view.search.replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replaceAll('*', '[^]*').replaceAll('?', '[^]');
    const pattern = new RegExp(glob ? `^${escaped}$` : escaped, 'i');
    return (kernel) => pattern.test(kernel.demangled) || pattern.test(kernel.name) ||
        (glob && (pattern.test(withoutParameters(kernel.demangled)) || pattern.test(shortName(kernel))));
  };

  const comparer = () => {
    const down = view.sort.startsWith('-');
    const key = down ? view.sort.slice(1) : view.sort;
    const sign = down ? -1 : 1;
    const byName = (left, right) => collator.compare(shortName(left), shortName(right));
    const column = columns.indexOf(key);
    if (key === 'verdict') {
      return (left, right) => sign * (patterns[right.pattern].worst - patterns[left.pattern].worst) || byName(left, right);
    }
    if (column >= 0) {
      return (left, right) => sign * (rankOf(fieldAt(right, column)) - rankOf(fieldAt(left, column))) || byName(left, right);
    }
    return (left, right) => sign * byName(left, right);
  };

  const isWanted = (file) => !view.file || file.label === view.file || file.path === view.file ||
      file.path.endsWith(`/${view.file}`) || file.cell === view.file;

  const choose = () => {
    let mask = 0;
    for (const verdict of view.verdict) mask |= 1 << verdict;
    const matches = matcher();
    const chosen = data.files.map(() => []);
    shown = 0;
    for (const kernel of kernels) {
      const pattern = patterns[kernel.pattern];
      if (mask && !(pattern.verdicts & mask)) continue;
      if (view.broken && !pattern.broken) continue;
      if (!isWanted(data.files[kernel.file]) || !matches(kernel)) continue;
      chosen[kernel.file].push(kernel);
      ++shown;
    }
    const compare = comparer();
    items = [];
    chosen.forEach((rows, file) => {
      if (rows.length === 0) return;
      if (data.files.length > 1) items.push({header: file, rows: rows.length});
      if (!folded.has(file)) for (const kernel of rows.sort(compare)) items.push(kernel);
    });
    cursor = {row: items.findIndex((item) => item.header === undefined), column: cursor.column};
  };

  // --- the map -------------------------------------------------------------------------------

  const grid = element('grid');
  const rows = element('rows');

  const fieldNode = (field) => {
    if (field < 0) return make('span', 'f is-not-promised', '');
    return make('span', `f ${data.verdicts[verdictOf(field)]} is-${STATES[stateOf(field)]}`, LETTERS[verdictOf(field)]);
  };

  const kernelNode = (kernel, index) => {
    const node = make('div', kernel.name === view.kernel ? 'row chosen' : 'row');
    node.setAttribute('role', 'row');
    node.setAttribute('aria-rowindex', index + 2);
    node.dataset.index = index;
    const name = make('div', 'name', shortName(kernel));
    name.setAttribute('role', 'rowheader');
    node.append(name);
    columns.forEach((_, column) => {
      const cell = make('div', 'cell');
      const field = fieldAt(kernel, column);
      cell.setAttribute('role', 'gridcell');
      cell.id = `cell-${index}-${column}`;
      cell.dataset.column = column;
      cell.setAttribute('aria-label', field < 0 ? titleOf(kernel, column) : `${titleOf(kernel, column)}: ${reasonAt(kernel, column)}`);
      cell.append(fieldNode(field));
      node.append(cell);
    });
    return node;
  };

  const headerNode = (item, index) => {
    const file = data.files[item.header];
    const node = make('div', 'row group', `${folded.has(item.header) ? '\u25b8' : '\u25be'} ${file.label}`);
    node.setAttribute('role', 'row');
    node.setAttribute('aria-rowindex', index + 2);
    node.setAttribute('aria-expanded', String(!folded.has(item.header)));
    node.dataset.index = index;
    node.append(make('small', '', plural(item.rows, 'kernel')));
    return node;
  };

  const fill = (first, last) => {
    const nodes = [];
    for (let index = first; index < last; ++index) {
      const item = items[index];
      const node = item.header === undefined ? kernelNode(item, index) : headerNode(item, index);
      node.style.top = `${index * ROW_HEIGHT}px`;
      nodes.push(node);
    }
    if (items.length === 0) nodes.push(make('p', 'none-left', 'No kernel is left: reset what is searched for.'));
    rows.replaceChildren(...nodes);
  };

  const showWindow = () => {
    const all = Math.max(1, items.length * ROW_HEIGHT);
    const room = grid.clientHeight - element('head').offsetHeight;
    const mark = element('window');
    mark.hidden = room >= all;
    mark.style.top = `${grid.scrollTop / all * 100}%`;
    mark.style.height = `${Math.min(1, room / all) * 100}%`;
  };

  let filled = '';
  const render = (force) => {
    const first = Math.max(0, Math.floor(grid.scrollTop / ROW_HEIGHT) - OVERSCAN);
    const last = Math.min(items.length, Math.ceil((grid.scrollTop + grid.clientHeight) / ROW_HEIGHT) + OVERSCAN);
    if (force || filled !== `${first}-${last}`) {
      filled = `${first}-${last}`;
      fill(first, last);
    }
    showWindow();
  };

  const drawOverview = () => {
    const canvas = document.querySelector('#overview canvas');
    const height = Math.max(1, Math.min(items.length, canvas.clientHeight));
    const style = getComputedStyle(document.documentElement);
    const colours = data.verdicts.map((name) => style.getPropertyValue(`--${name}`).trim());
    const plain = style.getPropertyValue('--page').trim();
    canvas.width = columns.length;
    canvas.height = height;
    const context = canvas.getContext('2d');
    context.fillStyle = plain;
    context.fillRect(0, 0, columns.length, height);
    for (let y = 0; y < height; ++y) {
      const end = Math.max(Math.floor((y + 1) * items.length / height), Math.floor(y * items.length / height) + 1);
      for (let column = 0; column < columns.length; ++column) {
        let worst = -1;
        for (let index = Math.floor(y * items.length / height); index < Math.min(end, items.length); ++index) {
          if (items[index].header !== undefined) continue;
          worst = Math.max(worst, rankOf(fieldAt(items[index], column)));
        }
        if (worst < VERDICTS) continue;  // nothing is promised there
        context.fillStyle = colours[worst & 7];
        context.fillRect(column, y, 1, 1);
      }
    }
  };

  const drawHead = () => {
    const down = view.sort.startsWith('-');
    const key = down ? view.sort.slice(1) : view.sort;
    const button = (label, name) => {
      const node = make('button', '', label);
      node.type = 'button';
      node.setAttribute('role', 'columnheader');
      node.dataset.sort = name;
      node.setAttribute('aria-sort', key !== name ? 'none' : down ? 'descending' : 'ascending');
      return node;
    };
    const names = make('div', 'names');
    names.append(button('kernel', 'name'), button('worst', 'verdict'));
    element('head').replaceChildren(names, ...columns.map((device) => button(device, device)));
  };

  // --- around the map ------------------------------------------------------------------------

  const drawChips = () => {
    const counts = data.verdicts.map(() => 0);
    let broken = 0;
    for (const kernel of kernels) {
      const pattern = patterns[kernel.pattern];
      broken += pattern.broken ? 1 : 0;
      counts.forEach((_, verdict) => {
        counts[verdict] += pattern.verdicts & (1 << verdict) ? 1 : 0;
      });
    }
    const chip = (label, count, pressed, name, field) => {
      const node = make('button', '');
      node.type = 'button';
      node.dataset.chip = name;
      node.setAttribute('aria-pressed', String(pressed));
      if (field !== undefined) node.append(fieldNode(field));
      node.append(`${label} ${count.toLocaleString('en')}`);
      return node;
    };
    const nodes = data.verdicts.map((name, verdict) => [name, verdict])
        .filter(([, verdict]) => counts[verdict] > 0)
        .map(([name, verdict]) => chip(name, counts[verdict], view.verdict.has(verdict), name, verdict));
    if (broken > 0) nodes.unshift(chip('\u2717 findings', broken, view.broken, 'broken'));
    element('chips').replaceChildren(...nodes);
  };

  const drawBars = () => {
    const bars = element('bars');
    columns.forEach((device, column) => {
      const counts = data.verdicts.map(() => 0);
      let broken = 0;
      let none = 0;
      for (const kernel of kernels) {
        const field = fieldAt(kernel, column);
        if (field < 0) continue;
        if (stateOf(field) === 3) {
          ++none;
        } else {
          ++counts[verdictOf(field)];
          broken += stateOf(field) === 1 ? 1 : 0;
        }
      }
      const all = counts.reduce((sum, count) => sum + count, none);
      const bar = make('div', 'bar');
      const part = (count, name, className) => {
        if (count === 0) return;
        const node = make('button', className);
        node.type = 'button';
        node.style.flexGrow = count;
        node.dataset.tip = `${device}: ${plural(count, 'kernel')} ${name} (${(100 * count / all).toFixed(1)} %)`;
        node.setAttribute('aria-label', node.dataset.tip);
        if (className !== 'none') node.dataset.chip = className;
        bar.append(node);
      };
      counts.forEach((count, verdict) => part(count, data.verdicts[verdict], data.verdicts[verdict]));
      part(none, data.promised ? 'not promised' : 'not judged', 'none');
      const share = make('span', 'share');
      if (broken > 0) share.append(make('b', '', `${broken.toLocaleString('en')} broken`), ' of ');
      share.append(plural(all, 'kernel'));
      bars.append(make('b', '', device), bar, share);
    });
  };

  const drawLegend = () => {
    const item = (node, text) => {
      const span = make('span', 'item');
      span.append(node, text);
      return span;
    };
    const used = data.verdicts.map((_, verdict) => patterns.some((pattern) => pattern.verdicts & (1 << verdict)));
    const nodes = data.verdicts.map((name, verdict) => used[verdict] ? item(fieldNode(verdict), name) : null).filter(Boolean);
    const state = (index) => patterns.some((pattern) => pattern.fields.some((field) => stateOf(field) === index));
    const example = (index) => fieldNode(data.verdicts.indexOf('missing') + VERDICTS * index);
    if (state(1)) nodes.push(item(example(1), data.promised ? 'framed: breaks a promise' : 'framed: error'));
    if (state(2)) nodes.push(item(example(2), 'striped: ignored, with a reason'));
    if (state(3)) nodes.push(item(example(3), data.promised ? 'outlined: not promised' : 'outlined: not judged, as most kernels of the file have no such code there'));
    if (state(4)) nodes.push(item(example(4), 'dotted: suspect, it may be intended'));
    element('legend').replaceChildren(...nodes);
  };

  const drawFiles = () => {
    const select = element('file');
    select.hidden = data.files.length < 2;
    const option = (value, text) => {
      const node = make('option', '', text);
      node.value = value;
      return node;
    };
    select.replaceChildren(option('', `all ${data.files.length} files`),
        ...data.files.filter((file) => file.count > 0).map((file) => option(file.label, `${file.label} (${file.count})`)));
  };

  const showDetail = () => {
    const detail = element('detail');
    const kernel = view.kernel ? kernels.find((one) => one.name === view.kernel && isWanted(data.files[one.file])) : undefined;
    detail.hidden = kernel === undefined;
    if (kernel === undefined) return;
    const close = make('button', '', 'close');
    close.type = 'button';
    close.addEventListener('click', () => update({kernel: ''}));
    const heading = make('h3', '');
    heading.append(make('code', '', kernel.demangled));
    const mangled = make('p', '');
    mangled.append(make('code', '', kernel.name));
    const list = make('ul', '');
    columns.forEach((device, column) => {
      const field = fieldAt(kernel, column);
      if (field < 0) return;
      const entry = make('li', '');
      entry.append(make('b', '', device), fieldNode(field),
          make('span', '', data.verdicts[verdictOf(field)] + SAYS[stateOf(field)]), make('span', '', reasonAt(kernel, column)));
      list.append(entry);
    });
    detail.replaceChildren(close, heading, mangled, make('p', '', data.files[kernel.file].label), list);
  };

  const applyTheme = () => {
    const dark = view.theme ? view.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    element('theme').textContent = dark ? 'light' : 'dark';
  };

  const refresh = () => {
    applyTheme();
    choose();
    element('search').value = view.search;
    const file = data.files.find((one) => view.file && isWanted(one));
    element('file').value = file ? file.label : '';
    element('count').textContent = shown === kernels.length ? plural(shown, 'kernel') :
        `${shown.toLocaleString('en')} of ${plural(kernels.length, 'kernel')}`;
    rows.style.height = `${Math.max(1, items.length) * ROW_HEIGHT}px`;
    grid.setAttribute('aria-rowcount', items.length + 1);
    drawHead();
    drawChips();
    render(true);
    drawOverview();
    showDetail();
  };

  const update = (wishes) => {
    Object.assign(view, wishes);
    writeAddress();
    refresh();
  };

  // --- the reason, on hover and focus --------------------------------------------------------

  const tip = element('tip');
  const showTip = (target, nodes) => {
    tip.replaceChildren(...nodes);
    tip.hidden = false;
    const box = target.getBoundingClientRect();
    const left = Math.min(box.left, innerWidth - tip.offsetWidth - 8);
    const below = box.bottom + 6 + tip.offsetHeight < innerHeight;
    tip.style.left = `${Math.max(8, left)}px`;
    tip.style.top = `${Math.max(8, below ? box.bottom + 6 : box.top - 6 - tip.offsetHeight)}px`;
  };
  const hideTip = () => {
    tip.hidden = true;
  };
  const clipped = (text) => text.length > 400 ? `${text.slice(0, 260)} ... ${text.slice(-130)}` : text;
  const showFieldTip = (cell) => {
    const kernel = items[cell.parentNode.dataset.index];
    const column = Number(cell.dataset.column);
    const nodes = [make('b', '', titleOf(kernel, column))];
    if (fieldAt(kernel, column) >= 0) nodes.push(make('div', '', reasonAt(kernel, column)));
    showTip(cell, nodes);
  };
  const showAnyTip = (event) => {
    const target = event.target.closest?.('.cell, .name, [data-tip]');
    if (!target) return hideTip();
    if (target.classList.contains('cell')) return showFieldTip(target);
    if (target.dataset.tip) return showTip(target, [make('div', '', target.dataset.tip)]);
    const kernel = items[target.parentNode.dataset.index];
    showTip(target, [make('b', '', clipped(kernel.demangled)), make('div', '', data.files[kernel.file].label)]);
  };

  const moveTo = (row, column) => {
    const last = items.length - 1;
    cursor = {row: Math.max(0, Math.min(last, row)), column: Math.max(0, Math.min(columns.length - 1, column))};
    const top = cursor.row * ROW_HEIGHT;
    const room = grid.clientHeight - element('head').offsetHeight - ROW_HEIGHT;
    if (top < grid.scrollTop) grid.scrollTop = top;
    if (top > grid.scrollTop + room) grid.scrollTop = top - room;
    render(true);
    const cell = element(`cell-${cursor.row}-${cursor.column}`);
    if (!cell) return hideTip();
    cell.classList.add('at');
    grid.setAttribute('aria-activedescendant', cell.id);
    showFieldTip(cell);
  };

  const activate = (index) => {
    const item = items[index];
    if (item === undefined) return;
    if (item.header === undefined) {
      update({kernel: item.name === view.kernel ? '' : item.name});
      return;
    }
    if (!folded.delete(item.header)) folded.add(item.header);
    refresh();
  };

  const onKey = (event) => {
    const page = Math.floor(grid.clientHeight / ROW_HEIGHT) - 2;
    const moves = {
      ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1],
      PageDown: [page, 0], PageUp: [-page, 0], Home: [-items.length, 0], End: [items.length, 0],
    };
    if (event.target !== grid) return;
    if (event.key === 'Enter') {
      activate(cursor.row);
    } else if (event.key === 'Escape') {
      hideTip();
    } else if (moves[event.key]) {
      moveTo(cursor.row + moves[event.key][0], cursor.column + moves[event.key][1]);
    } else {
      return;
    }
    event.preventDefault();
  };

  const toggle = (name) => {
    if (name === 'broken') return update({broken: !view.broken});
    const verdict = data.verdicts.indexOf(name);
    const wanted = new Set(view.verdict);
    if (!wanted.delete(verdict)) wanted.add(verdict);
    update({verdict: wanted});
  };

  const onOverview = (event) => {
    if (event.buttons === 0 && event.type !== 'click') return;
    const box = element('overview').getBoundingClientRect();
    const share = (event.clientY - box.top) / box.height;
    grid.scrollTop = share * items.length * ROW_HEIGHT - grid.clientHeight / 2;
  };

  const listen = () => {
    let waiting;
    element('search').addEventListener('input', (event) => {
      clearTimeout(waiting);
      waiting = setTimeout(() => update({search: event.target.value}), kernels.length > 5000 ? 150 : 0);
    });
    element('file').addEventListener('change', (event) => update({file: event.target.value}));
    element('reset').addEventListener('click', () => update({search: '', verdict: new Set(), broken: false, file: '', sort: FIRST_SORT, kernel: ''}));
    element('theme').addEventListener('click', () => update({theme: document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'}));
    element('head').addEventListener('click', (event) => {
      const key = event.target.dataset.sort;
      if (key) update({sort: view.sort === key ? `-${key}` : key});
    });
    for (const place of ['chips', 'bars']) {
      element(place).addEventListener('click', (event) => {
        const target = event.target.closest('[data-chip]');
        if (target) toggle(target.dataset.chip);
      });
    }
    rows.addEventListener('click', (event) => {
      const row = event.target.closest('.row');
      if (row) activate(Number(row.dataset.index));
    });
    grid.addEventListener('scroll', () => {
      hideTip();
      requestAnimationFrame(() => render(false));
    });
    grid.addEventListener('keydown', onKey);
    grid.addEventListener('blur', hideTip);
    document.addEventListener('mouseover', showAnyTip);
    element('overview').addEventListener('click', onOverview);
    element('overview').addEventListener('pointermove', onOverview);
    addEventListener('resize', () => {
      render(true);
      drawOverview();
    });
    addEventListener('hashchange', () => {
      readAddress();
      refresh();
      if (location.hash.includes('=')) element('map').scrollIntoView();
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', refresh);
    addEventListener('beforeprint', () => {
      const printed = Math.min(items.length, MOST_PRINTED);
      fill(0, printed);
      element('printed').hidden = printed === items.length;
      element('printed').textContent = `and ${plural(items.length - printed, 'row')} that are not printed`;
    });
    addEventListener('afterprint', () => {
      element('printed').hidden = true;
      render(true);
    });
  };

  readAddress();
  applyTheme();
  element('theme').hidden = false;
  if (kernels.length > 0) {
    document.documentElement.style.setProperty('--columns', columns.length);
    element('coverage').hidden = false;
    element('map').hidden = false;
    drawFiles();
    drawBars();
    drawLegend();
    listen();
    refresh();
  }
})();
