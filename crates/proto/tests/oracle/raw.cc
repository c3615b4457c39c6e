// Runs protoc's parser on .proto files, without interpreting their options. Reads paths, one on each line, and writes a
// FileDescriptorSet with the files that have no errors.

#include <fcntl.h>
#include <google/protobuf/compiler/parser.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <unistd.h>

#include <iostream>
#include <string>

namespace pb = google::protobuf;

struct Errors : pb::io::ErrorCollector {
  int count = 0;
  void AddError(int, int, const std::string&) override { ++count; }
};

int main() {
  pb::io::FileOutputStream out(STDOUT_FILENO);
  pb::io::CodedOutputStream set(&out);
  for (std::string path; std::getline(std::cin, path);) {
    const int file = open(path.c_str(), O_RDONLY);
    if (file < 0) continue;
    pb::io::FileInputStream text(file);
    Errors errors;
    pb::io::Tokenizer tokens(&text, &errors);
    pb::compiler::Parser parser;
    parser.RecordErrorsTo(&errors);
    pb::FileDescriptorProto descriptor;
    const bool is_whole = parser.Parse(&tokens, &descriptor) && errors.count == 0;
    close(file);
    if (!is_whole) continue;
    descriptor.set_name(path);
    const std::string bytes = descriptor.SerializePartialAsString();
    set.WriteTag(1 << 3 | 2);
    set.WriteVarint32(static_cast<pb::uint32>(bytes.size()));
    set.WriteString(bytes);
  }
}
