#!/bin/sh
# SPDX-FileCopyrightText: 2026 the archgrid authors
# SPDX-License-Identifier: Apache-2.0

# Compares the GPUs of this machine, as nvidia-smi shows them, with what variables promise:
#   GPUS         compute capabilities, each of which a GPU must have: "9.0 8.0"
#   LABELS       labels of the runner: sm90, and words like NVIDIA's models: h100, a10, rtxpro6000
#   DRIVER       the oldest driver branch: 580
#   MIG, PERSISTENCE, ECC  on or off, for every GPU
# Empty variables promise nothing. Exits with 1, and an annotation for each broken promise; writes
# `failed` and these to the file OUTCOME, if it is named.
set -u

outcome=${OUTCOME:-/dev/null}
mkdir -p "$(dirname "$outcome")"

columns=index,name,compute_cap,driver_version,mig.mode.current,persistence_mode,ecc.mode.current
if ! text=$(nvidia-smi --query-gpu=$columns --format=csv,noheader 2>&1); then
  problem="nvidia-smi fails on this runner: $(printf '%s' "$text" | tr '\r\n%' '   ')"
  printf '::error title=no GPU::%s\n' "$problem"
  printf 'failed\n%s\n' "$problem" >"$outcome"
  exit 1
fi
printf '%s\n' "$text" | awk -F ' *, *' \
  -v gpus="${GPUS-}" -v labels="${LABELS-}" -v driver="${DRIVER-}" -v mig="${MIG-}" \
  -v persistence="${PERSISTENCE-}" -v ecc="${ECC-}" -v summary="${GITHUB_STEP_SUMMARY:-/dev/null}" \
  -v outcome="$outcome" '
function wrong(what) {
  gsub(/[%\r]/, " ", what)
  print "::error title=wrong GPU::" what
  if (!bad) print "failed" > outcome
  print "wrong GPU: " what > outcome
  bad = 1
}
# Reports whether consecutive words of the name of a GPU make up the model.
function is_model(name, model,    words, count, from, to, joined) {
  count = split(tolower(name), words, /[^a-z0-9]+/)
  for (from = 1; from <= count; ++from) {
    joined = ""
    for (to = from; to <= count; ++to) {
      joined = joined words[to]
      if (joined == model) return 1
    }
  }
  return 0
}
function check_switch(what, promised, state) {
  if (promised == "") return
  if (promised != "on" && promised != "off") {
    wrong(what ": \"" promised "\" is neither on nor off")
  } else if ((state == "Enabled") != (promised == "on")) {
    wrong("GPU " $1 " (" $2 "): " what " is " state ", promised is " promised)
  }
}
function need_capability(capability, because,    gpu) {
  for (gpu = 1; gpu <= count; ++gpu) if (capabilities[gpu] == capability) return
  wrong("no GPU has compute capability " capability because ": this runner has " all)
}
function need_model(model,    gpu) {
  for (gpu = 1; gpu <= count; ++gpu) if (is_model(names[gpu], model)) return
  wrong("the label " model " names no GPU of this runner, which has " all)
}
NF < 7 { wrong("nvidia-smi printed \"" $0 "\", not the seven values that were asked for"); next }
{
  ++count
  names[count] = $2
  capabilities[count] = $3
  all = all (count > 1 ? ", " : "") $2 " (" $3 ")"
  if (driver != "" && $4 + 0 < driver + 0) wrong("the driver is " $4 ", promised is " driver)
  check_switch("MIG mode", mig, $5)
  check_switch("persistence mode", persistence, $6)
  check_switch("ECC", ecc, $7)
  print "GPU " $1 ": " $2 ", " $3 ", driver " $4 ", MIG " $5 ", persistence " $6 ", ECC " $7
}
END {
  if (count == 0) wrong("this runner has no GPU")
  split_count = split(gpus, wanted, /[ ,]+/)
  for (i = 1; i <= split_count; ++i) if (wanted[i] != "") need_capability(wanted[i], "")
  split_count = split(tolower(labels), wanted, /[ ,]+/)
  for (i = 1; i <= split_count; ++i) {
    label = wanted[i]
    if (label ~ /^sm[0-9]+$/) {
      digits = substr(label, 3)
      need_capability(substr(digits, 1, length(digits) - 1) "." substr(digits, length(digits)), " (label " label ")")
    } else if (label ~ /^((gb?|[abhlprtv])[0-9]+[a-z]?|(rtx|gtx|quadro|titan)[a-z0-9]+)$/) {
      need_model(label)
    }
  }
  if (count > 0) printf "%s on this runner: %s\n\n", bad ? "**Wrong GPU**" : "GPU", all >> summary
  exit bad
}'
